// A list whose nodes are freed while it is walked: the next node is read from one that was freed.
#include <cstdlib>

struct Node {
    int value;
    Node *next;
};

int main()
{
    Node *head = nullptr;
    for (int at = 0; at < 3; at++) {
        Node *one = (Node *)malloc(sizeof(Node));
        *one = {at, head};
        head = one;
    }
    for (Node *at = head; at; at = at->next)
        free(at);
}
